import { saveAttributes } from '../../../shared/data/customers/attributes.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { wrongAttributeName } from '../../../shared/domain/customers/attributes.ts';
import { customerNotFound } from '../../../shared/http/handlers/problems/customer-not-found.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { customerResource } from '../../../shared/mappers/customer.ts';
import { setCustomerAttributes } from '../../../shared/operations/customers/set-customer-attributes.ts';

export const handle: Handle<typeof setCustomerAttributes> = async ({ params, body }, { caller, table }) => {
  const { orgId } = caller;
  const { attributes } = body;
  const wrong = wrongAttributeName(attributes);
  if (wrong !== undefined) {
    const message = `The name of an attribute has 1 to 40 lowercase letters, digits and underscores, and begins with a letter; ${JSON.stringify(wrong)} does not.`;
    throw problem('parameter_invalid', message, { param: 'attributes' });
  }
  const customer = await findCustomer(table, orgId, params.customer_id);
  if (customer === undefined) throw customerNotFound(params.customer_id);
  await saveAttributes(table, orgId, { userId: customer.userId, attributes });
  return { ...customerResource(orgId, customer), attributes };
};

export const handler = pipeline(setCustomerAttributes, handle);
