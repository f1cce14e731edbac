import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { keyKinds, readActions, type TableAccess, writeActions } from '../shared/domain/table-access.ts';
import { typedKeys } from '../shared/domain/typed-keys.ts';

/** Written by `npm run retire-grants`. */
export const retiredGrantsFile = new URL('retired-grants.json', import.meta.url);

const Access = v.record(v.picklist(typedKeys(keyKinds)), v.array(v.picklist([...readActions, ...writeActions])));
const RetiredGrants = v.record(v.string(), Access);

let retired: v.InferOutput<typeof RetiredGrants> | undefined;

/**
 * The table access that a function no longer uses but its role still allows. A role is not versioned: after a rollback the
 * previous release runs with it, so a grant goes only one release after its last user (ADR 40).
 */
export function retiredAccess(id: string): TableAccess {
  retired ??= v.parse(RetiredGrants, JSON.parse(readFileSync(retiredGrantsFile, 'utf8')));
  return retired[id] ?? {};
}

/** The metadata of a role with the grants that no code of its release uses, as `Action on KIND`. */
export const retiredMetadata = 'gateline:retired-grants';

export function accessTexts(access: TableAccess): string[] {
  return Object.entries(access).flatMap(([kind, actions]) => actions.map((action) => `${action} on ${kind}`));
}
