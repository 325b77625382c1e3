import type { Response } from 'express';

/** Calls `change` just before the response's status and headers are sent. */
export function beforeHeaders(res: Response, change: (status: number) => void): void {
  const writeHead = res.writeHead.bind(res) as (...parameters: unknown[]) => Response;
  res.writeHead = (status: number, ...rest: unknown[]) => {
    change(status);
    return writeHead(status, ...rest);
  };
}
