import type { RequestHandler, Response } from 'express';
import { createProxyMiddleware, fixRequestBody } from 'http-proxy-middleware';
import { AppError } from '../../shared/app-error.ts';
import { sendError } from '../error-handler.ts';
import type { AllowList } from './allow-list.ts';

/** Forwards a permitted request to the record store at `url`, with the target that the allow-list returns. */
export function forwardTo(url: string, { permit }: AllowList): RequestHandler {
  return createProxyMiddleware({
    target: url,
    changeOrigin: true,
    proxyTimeout: 0,
    pathRewrite: (_path, request) => permit(request.method ?? '', originalUrl(request))?.target ?? '/',
    on: {
      proxyReq(outgoing, request) {
        // The record store takes the client's address from this header, so a client's own header is overwritten.
        outgoing.setHeader('X-Forwarded-For', (request as { ip?: string }).ip ?? '');
        for (const name of ['cookie', 'forwarded', 'x-real-ip', 'x-forwarded-host'])
          outgoing.removeHeader(name);
        fixRequestBody(outgoing, request);
      },
      proxyRes(answer) {
        // Only our own headers apply: the record store's would allow other origins.
        for (const name of Object.keys(answer.headers)) {
          if (name.startsWith('access-control-') || name === 'x-frame-options') delete answer.headers[name];
        }
      },
      error(_error, _request, response) {
        if (!('writeHead' in response) || response.headersSent) return void response.end();
        sendError(response as Response, new AppError('storeUnavailable'));
      },
    },
  });
}

function originalUrl(request: object): string {
  return (request as { originalUrl: string }).originalUrl;
}
