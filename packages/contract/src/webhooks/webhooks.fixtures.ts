import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  orgWebhookDeliveries_replay,
  orgWebhooks_create,
  orgWebhooks_get,
  orgWebhooks_list,
  orgWebhooks_test,
  webhookDeliveries_replay,
  webhooks_create,
  webhooks_get,
  webhooks_list,
  webhooks_test,
} from './webhooks.contract.ts';
import { webhooksExamples } from './webhooks.examples.ts';

/** A webhook of the app and one of the organization, whose receivers do not exist, with a delivery each. */
export async function addWebhooks(fixtures: Fixtures): Promise<void> {
  const { call } = fixtures.ada;
  const { params, body } = webhooksExamples.webhooks_create;
  const [known] = (await call(webhooks_list, { params })).values;
  const { id: webhook_id } =
    known ?? (await call(webhooks_create, { params, body: { ...body, event_types: [...body.event_types] } }));
  const delivery = await call(webhooks_test, { params: { ...params, webhook_id }, body: {} });
  putId(fixtures, webhooks_get, 'webhook_id', webhook_id);
  putId(fixtures, webhookDeliveries_replay, 'delivery_id', delivery.id);

  const org = webhooksExamples.orgWebhooks_create;
  const [ofOrg] = (await call(orgWebhooks_list, { params: org.params })).values;
  const made =
    ofOrg ??
    (await call(orgWebhooks_create, {
      params: org.params,
      body: { ...org.body, event_types: [...org.body.event_types] },
    }));
  const orgDelivery = await call(orgWebhooks_test, { params: { ...org.params, webhook_id: made.id }, body: {} });
  putId(fixtures, orgWebhooks_get, 'webhook_id', made.id);
  putId(fixtures, orgWebhookDeliveries_replay, 'delivery_id', orgDelivery.id);
}
