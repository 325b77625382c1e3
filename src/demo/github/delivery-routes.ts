import { type Response, Router } from 'express';
import { refuse } from './answers.ts';
import type { Delivery } from './deliveries.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';

const NO_JWT = 'A JSON web token could not be decoded';

function isApp(res: Response): boolean {
  if (callerOf(res).kind === 'app') return true;
  refuse(res, 401, NO_JWT);
  return false;
}

function brief(delivery: Delivery): Omit<Delivery, 'request' | 'response' | 'url'> {
  const { request: _request, response: _response, url: _url, ...rest } = delivery;
  return rest;
}

const isFailure = (delivery: Delivery) => delivery.status_code >= 400;

/** `/app/hook/deliveries`: the App's deliveries, newest first, one of them, and its redelivery. */
export function deliveryRoutes(local: Local): Router {
  const router = Router();

  router.get('/app/hook/deliveries', (req, res) => {
    if (!isApp(res)) return;
    const { cursor, status } = req.query;
    const perPage = Math.min(Math.max(Number(req.query.per_page ?? 30) || 30, 1), 100);
    const wanted = local.hooks.deliveries
      .all()
      .filter((delivery) => cursor === undefined || delivery.id <= Number(cursor))
      .filter((delivery) => status === undefined || (status === 'failure') === isFailure(delivery));
    const following = wanted[perPage];
    if (following) {
      const url = new URL(req.originalUrl, local.origin);
      url.searchParams.set('cursor', String(following.id));
      res.setHeader('link', `<${url}>; rel="next"`);
    }
    res.json(wanted.slice(0, perPage).map(brief));
  });

  router.get('/app/hook/deliveries/:id', (req, res) => {
    if (!isApp(res)) return;
    const delivery = local.hooks.deliveries.find(Number(req.params.id));
    if (!delivery) {
      refuse(res, 404, 'Not Found');
      return;
    }
    res.json(delivery);
  });

  router.post('/app/hook/deliveries/:id/attempts', (req, res) => {
    if (!isApp(res)) return;
    if (!local.hooks.deliveries.redeliver(Number(req.params.id))) {
      refuse(res, 404, 'Not Found');
      return;
    }
    res.status(202).json({});
  });

  return router;
}
