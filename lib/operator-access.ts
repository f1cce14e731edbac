import { type KeyKind, keyKinds, readActions, type TableAccess, writeActions } from '../shared/domain/table-access.ts';
import { typedKeys } from '../shared/domain/typed-keys.ts';

/** What an operator's role is for. Each may do what those before it may. */
export const operatorRoles = ['read', 'support', 'finance', 'deploy'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Whoever writes these can act as somebody else, or send the money of an organisation to another account. */
const credentials: readonly KeyKind[] = ['AUTH', 'GATEAUTH', 'HMAC', 'KEY', 'ORG', 'PUB', 'PUBCNT', 'SSO'];

/** No money moves without a row of these. */
const money: readonly KeyKind[] = ['JRN', 'RCB', 'RCP', 'RFD'];

/** What each may write of the table; all may read it. */
const closed: Readonly<Record<OperatorRole, readonly KeyKind[]>> = {
  read: typedKeys(keyKinds),
  support: [...credentials, ...money],
  finance: credentials,
  deploy: [],
};

/** The access of an operator's role to the table, which the CLI uses with the operator's own credentials. */
export function operatorAccess(role: OperatorRole): TableAccess {
  const entries = typedKeys(keyKinds).map((kind) => [
    kind,
    closed[role].includes(kind) ? readActions : [...readActions, ...writeActions],
  ]);
  return Object.fromEntries(entries);
}
