import { type CallContext, itemsOf, type MakeInput } from './call-input.ts';

/** The newest customer. */
export const customer = ({ of }: CallContext) => itemsOf(of('list-customers'))[0] ?? {};
const params = (context: CallContext) => ({ customer_id: String(customer(context).org_customer_id) });

/** What an organisation keeps of its customers. */
export const customerCalls: Readonly<Record<string, MakeInput>> = {
  'list-customers': () => ({ query: { limit: '1' } }),
  'retrieve-customer': (context) => ({ params: params(context) }),
  'set-customer-attributes': (context) => ({
    params: params(context),
    body: { attributes: { loyalty_points: 120 } },
  }),
  'record-consent': (context) => ({
    params: params(context),
    body: { purpose: 'marketing', channel: 'email', given: true, text_version: '2026-07' },
  }),
  'list-consents': (context) => ({ params: params(context) }),
  'set-customer-metadata': (context) => ({
    params: params(context),
    body: { metadata: { crm_id: 'crm-77', shirt_size: null } },
  }),
};
