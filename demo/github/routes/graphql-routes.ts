import { type RequestHandler, Router } from 'express';
import { execute, parse, validate } from 'graphql';
import { callerOf } from '../authenticate.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import { queryCost } from '../graphql-cost.ts';
import { createGraphqlRoot } from '../graphql-resolvers.ts';
import { graphqlSchema } from '../graphql-schema.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** The points of each installation in an hour. Larger installations have more. */
const POINTS = 5_000;

type Query = { query?: string; variables?: Record<string, unknown> };

/** GitHub's GraphQL API, which the emulator lacks: queries of installations, counted in points. */
export function graphqlRoutes(deps: RouteDeps): Router {
  const points = new Map<string, number>();
  const countPoints = (installation: number, cost: number) => {
    const hour = `${installation}:${Math.floor(Date.now() / 3_600_000)}`;
    points.set(hour, (points.get(hour) ?? 0) + cost);
    return points.get(hour) ?? 0;
  };

  const answer: RequestHandler = async (req, res) => {
    const caller = callerOf(res);
    const installation = caller.kind === 'installation' && deps.installations.find(caller.installation);
    if (!installation) {
      refuse(res, 401, 'This endpoint requires you to be authenticated.');
      return;
    }
    const { query = '', variables = {} } = jsonBodyOf(req) as Query;
    const document = parse(query);
    const errors = validate(graphqlSchema, document);
    if (errors.length > 0) {
      res.json({ errors });
      return;
    }
    const used = countPoints(installation.id, queryCost(document, variables));
    res.set({ 'x-ratelimit-resource': 'graphql', 'x-ratelimit-limit': `${POINTS}` });
    res.set({ 'x-ratelimit-used': `${used}`, 'x-ratelimit-remaining': `${Math.max(0, POINTS - used)}` });
    if (used > POINTS) {
      res.json({ errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] });
      return;
    }
    const rootValue = createGraphqlRoot(deps, installation);
    const result = await execute({ schema: graphqlSchema, document, rootValue, variableValues: variables });
    // GitHub has the type next to the message.
    const failed = result.errors?.map(({ message, path, extensions: { type } }) => ({ type, path, message }));
    res.json({ data: result.data, ...(failed && { errors: failed }) });
  };

  const router = Router();
  router.post('/graphql', readBody, answer);
  return router;
}
