import type { CallContext, MakeInput } from './call-input.ts';

const campaign = ({ of }: CallContext) => ({
  code_campaign_id: String(of('create-code-campaign').code_campaign_id),
});

/** The first of the codes that create-codes made. */
function firstCode({ of }: CallContext): string {
  const { data } = of('create-codes');
  return Array.isArray(data) ? String(data[0]?.code) : '';
}

/** What the office does with codes, and the fan with one of them. `filled` returns a new basket with tickets. */
export const codeCalls = (
  filled: (context: CallContext) => Promise<{ basket_id: string }>,
): Readonly<Record<string, MakeInput>> => ({
  'create-code-campaign': () => ({
    body: { title: 'Sponsors', effect: { kind: 'percent', value: 20 }, uses_per_code: 1 },
  }),
  'create-codes': (context) => ({ params: campaign(context), body: { count: 2 } }),
  'list-code-campaigns': () => ({}),
  'retrieve-code-campaign': (context) => ({ params: campaign(context) }),
  'update-code-campaign': (context) => ({ params: campaign(context), body: { uses_per_code: 2 } }),
  'apply-code': async (context) => ({ params: await filled(context), body: { code: firstCode(context) } }),
  'remove-code': async (context) => {
    const params = await filled(context);
    await context.send('apply-code', { params, body: { code: firstCode(context) } });
    return { params };
  },
  'list-codes': (context) => ({ params: campaign(context), query: { limit: '1' } }),
  'delete-code': async (context) => {
    const { data } = await context.send('create-codes', { params: campaign(context), body: { count: 1 } });
    return { params: { ...campaign(context), code: Array.isArray(data) ? String(data[0]?.code) : '' } };
  },
});
