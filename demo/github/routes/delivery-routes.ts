import { type RequestHandler, Router } from 'express';
import type { Delivery } from '../deliveries.ts';
import { requireApp } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** A delivery as a list shows it. */
function summaryOf(delivery: Delivery): Omit<Delivery, 'request' | 'response' | 'url'> {
  const { request: _request, response: _response, url: _url, ...rest } = delivery;
  return rest;
}

const isFailure = (delivery: Delivery) => delivery.status_code >= 400;

/** `/app/hook/config`: where webhooks go. `/app/hook/deliveries`: lists the App's webhook deliveries, newest first, shows one, and redelivers one. */
export function deliveryRoutes({ origin, webhooks }: RouteDeps): Router {
  const { deliveries } = webhooks;
  const router = Router();
  router.use('/app/hook', requireApp);
  router.get('/app/hook/config', (_req, res) => {
    res.json({ url: webhooks.url, content_type: 'json', secret: '********', insecure_ssl: '0' });
  });

  const list: RequestHandler = (req, res) => {
    const { cursor, status } = req.query;
    const perPage = Math.min(Math.max(Number(req.query.per_page ?? 30) || 30, 1), 100);
    const found = deliveries
      .all()
      .filter((delivery) => cursor === undefined || delivery.id <= Number(cursor))
      .filter((delivery) => status === undefined || (status === 'failure') === isFailure(delivery));
    const following = found[perPage];
    if (following) {
      const url = new URL(req.originalUrl, origin);
      url.searchParams.set('cursor', String(following.id));
      res.setHeader('link', `<${url}>; rel="next"`);
    }
    res.json(found.slice(0, perPage).map(summaryOf));
  };
  router.get('/app/hook/deliveries', list);

  router.get('/app/hook/deliveries/:id', (req, res) => {
    const delivery = deliveries.find(Number(req.params.id));
    if (delivery) res.json(delivery);
    else refuse(res, 404, 'Not Found');
  });

  router.post('/app/hook/deliveries/:id/attempts', (req, res) => {
    if (deliveries.redeliver(Number(req.params.id))) res.status(202).json({});
    else refuse(res, 404, 'Not Found');
  });

  return router;
}
