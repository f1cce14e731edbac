import { listConsents as listPage, readCurrentConsents } from '../../../shared/data/customers/consents.ts';
import { ownCustomer } from '../../../shared/http/handlers/callers/own-customer.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { consentResource, currentConsents } from '../../../shared/mappers/consent.ts';
import { listConsents } from '../../../shared/operations/customers/list-consents.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listConsents> = async ({ params, query }, deps) => {
  const { caller, table, baseUrl } = deps;
  const { orgId } = caller;
  const customer = await ownCustomer(deps, params);
  const { userId, orgCustomerId } = customer;
  const identity = { orgId, operation: listConsents.id, parameters: { userId } };
  const signedList = { key: await cursorKey(), list: identity };
  const after = verifyListCursor(signedList, query.cursor);
  const [{ consents, next }, current] = await Promise.all([
    listPage(table, orgId, { userId, after, limit: query.limit }),
    readCurrentConsents(table, orgId, userId),
  ]);
  return {
    object: 'consents',
    url: `${baseUrl}/v1/customers/${encodeURIComponent(orgCustomerId)}/consents`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: consents.map((consent) => consentResource(customer.userId, consent)),
    current: currentConsents(customer, current),
  };
};

export const handler = pipeline(listConsents, handle);
