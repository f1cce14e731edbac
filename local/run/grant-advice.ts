import {
  combineAccess,
  type KeyKind,
  keyKinds,
  readActions,
  type TableAccess,
  type TableAction,
  writeActions,
} from '../../shared/domain/table-access.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import type { Caller } from '../cloud/iam/callers.ts';
import { type AccessRequest, isAllowed } from '../cloud/iam/evaluate.ts';
import type { Statement } from '../cloud/iam/statement.ts';

/** Kinds of keys with the actions on them: a TableAccess, or what a template says, which may name anything. */
type Grants = Readonly<Record<string, readonly string[]>>;

/** What to change for IAM to allow a refused call. The description of a function begins with the id of its registry entry. */
export function grantAdvice({ description, statements }: Caller, accessRequest: AccessRequest): string | undefined {
  const [entryId] = description?.split(':') ?? [];
  const missing = missingAccess(statements, accessRequest);
  if (entryId === undefined || missing === undefined) return undefined;
  const advice = addToAccess(entryId, missing);
  return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}: list the grants of the function it calls.`;
}

/** What to add to a registry entry, and where it is. */
export function addToAccess(id: string, access: Grants): string {
  const file = entryFile(id);
  return `add ${accessText(access)} to \`access\` of ${id}${file === undefined ? '' : ` (${file})`}`;
}

/** As one writes it in an entry: `BAR: ['BatchGetItem']`. */
export function accessText(access: Grants): string {
  const kinds = Object.entries(access).map(([kind, actions]) => {
    const list = actions.map((action) => `'${action}'`).join(', ');
    return `${kind}: [${list}]`;
  });
  return `\`${kinds.join(', ')}\``;
}

function entryFile(id: string): string | undefined {
  const operation = operations.find((entry) => entry.id === id);
  if (operation !== undefined) return `shared/operations/${operation.resource}/${id}.ts`;
  return workers.some((worker) => worker.id === id) ? 'shared/workers/registry.ts' : undefined;
}

/** The access that a function's entry lacks for a refused request; undefined if no grant on the table would allow it. */
function missingAccess(statements: readonly Statement[], accessRequest: AccessRequest): TableAccess | undefined {
  const action = tableActions.find((name) => accessRequest.action === `dynamodb:${name}`);
  const refused = (accessRequest.context[leadingKeys] ?? []).filter(
    (key) => !isAllowed(statements, { ...accessRequest, context: { [leadingKeys]: [key] } }),
  );
  const kinds = refused.map((key) => key.split('#')[0]).filter(isKeyKind);
  if (action === undefined || kinds.length === 0) return undefined;
  return combineAccess(kinds.map((kind) => ({ [kind]: [action] })));
}

const leadingKeys = 'dynamodb:LeadingKeys';
const tableActions: readonly TableAction[] = [...readActions, ...writeActions];

function isKeyKind(text: string | undefined): text is KeyKind {
  return text !== undefined && Object.hasOwn(keyKinds, text);
}
