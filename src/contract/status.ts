import { z } from 'zod';

/** The state of a commit's check, for programs. A denied commit waits for a new one, or until the denial is withdrawn. */
export const checkStates = ['waiting', 'passed', 'denied'] as const;

export type CheckState = (typeof checkStates)[number];

/**
 * The JSON block at the end of a check run's text, which docs/agents.md describes. It says nothing that the run's summary
 * doesn't show. Who reads it ignores members that they don't know; `otpGuard` changes when a known one does.
 */
export const statusBlock = z.object({
  otpGuard: z.literal(1),
  state: z.enum(checkStates),
  head: z
    .string()
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
    .describe('The commit that the check is about'),
  base: z.string().describe('The base branch of the pull request that `approval` leads to'),
  pulls: z
    .array(z.object({ number: z.int().positive(), since: z.iso.datetime().describe('When it was opened') }))
    .describe('The open pull requests with this head, at most 50: waiting ones first'),
  rules: z
    .array(
      z.object({
        name: z.string(),
        met: z.boolean(),
        missing: z.string().describe('What is still needed; empty if nothing is'),
      }),
    )
    .describe('The enforced rules that apply, as many as fit: unmet ones first'),
  denied: z.object({ by: z.string(), reason: z.string() }).nullable(),
  approval: z.string().describe('The page on which a person approves'),
  retryAfter: z.int().positive().describe('The seconds to wait before reading again'),
  note: z.string(),
});

export type StatusBlock = z.infer<typeof statusBlock>;
