import { type Problem, problem } from '../../problem.ts';

/** A fan need not know the organisation's id of the own customer. */
export const ownId = 'me';

/** A customer that a path does not name. Another id of a customer is sent by mistake, so the text says which one belongs here. */
export function customerNotFound(customerId: string, isFan = false): Problem {
  return problem('resource_not_found', `No such customer. ${adviceOn(customerId, isFan)}`);
}

function adviceOn(customerId: string, isFan: boolean): string {
  if (isFan) return `With the token of a fan, send ${ownId} as customer_id.`;
  if (customerId === ownId) return `The customer_id ${ownId} needs the token of a fan in X-SSO-Token.`;
  return 'The customer_id is an org_customer_id, which is not always the user_id: list-customers finds it with search.';
}
