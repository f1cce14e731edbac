import { jobPuts } from '../data/jobs/jobs.ts';
import { approximateMemberCount } from '../data/members/count.ts';
import type { MembershipConfig } from '../data/membership/config.ts';
import {
  type CategoryRecord,
  type ConfigDraft,
  configKey,
  type PaymentOptionRecord,
  type TypeRecord,
} from '../data/membership/config-rows.ts';
import {
  type ConfigChange,
  configOfRows,
  configPut,
  planConfigSave,
  readConfigRows,
} from '../data/membership/save-config.ts';
import { type CapacityTaken, stockOf } from '../data/prices/capacity.ts';
import { derivedId } from '../data/table/derived-id.ts';
import { retryRaces } from '../data/table/retry.ts';
import { type VersionChanged, versionChanged } from '../data/table/save-options.ts';
import type { Table } from '../data/table/table.ts';
import { noSideEffects, type SideEffects, transact } from '../data/table/transact.ts';
import { stockRef } from '../domain/baskets/stock-moves.ts';
import { type JobRecord, newJob, refreshMembersJobId } from '../domain/jobs/job.ts';
import type { WithMetadataChange } from '../domain/metadata.ts';
import { type CategoryRefusal, categoryRefusal, type TypeRefusal, typeRefusal } from './membership-refusal.ts';
import { seatsJobOfConfig } from './seats-job.ts';

export type TypeValues = Omit<TypeRecord, 'kind' | 'typeId' | 'version' | 'metadata'> & WithMetadataChange;
export type CategoryValues = Omit<CategoryRecord, 'kind' | 'categoryId' | 'version' | 'metadata'> & WithMetadataChange;
export type PaymentOptionValues = Omit<PaymentOptionRecord, 'kind' | 'version'>;

export type MembershipRefusal =
  | { readonly outcome: 'missing' | 'code_taken' }
  /** The field names something that does not exist, or contradicts another one. */
  | { readonly outcome: 'invalid'; readonly field: TypeRefusal | CategoryRefusal; readonly currency: string | null }
  | CapacityTaken
  | VersionChanged;

export interface Saved {
  readonly outcome: 'saved';
  /** The configuration with the change. */
  readonly config: MembershipConfig;
  /** The job that writes the change into the members; null if they contain nothing of it. */
  readonly jobId: string | null;
}
export type SavedMembership = Saved | MembershipRefusal;

interface MembershipDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly nowUnix: number;
  readonly requestId: string | undefined;
}

interface Change<Values> {
  /** The code never changes: the id follows from it. */
  readonly change: Partial<Omit<Values, 'code'>>;
  readonly ifMatch: number | undefined;
}

/** Creates the membership type, unless one with this code exists. */
export function createMembershipType(
  deps: MembershipDeps,
  values: TypeValues,
  sideEffects: SideEffects<MembershipConfig>,
): Promise<SavedMembership> {
  const typeId = derivedId(deps.orgId, 'type', values.code);
  return save(
    deps,
    (config) => refusedNew(config.types.get(typeId)) ?? checkedType({ kind: 'type', typeId, ...values }, config),
    sideEffects,
  );
}

/** Changes the given fields of a membership type, as `updatePrice` does those of a price. */
export async function updateMembershipType(
  deps: MembershipDeps,
  typeId: number,
  { change, ifMatch }: Change<TypeValues>,
): Promise<SavedMembership> {
  const taken = change.capacity == null ? 0 : await takenOfType(deps, typeId);
  return save(deps, (config) => {
    const before = config.types.get(typeId);
    if (before === undefined) return { outcome: 'missing' };
    const conflict = versionChanged(before, ifMatch);
    if (conflict !== undefined) return conflict;
    if (change.capacity != null && change.capacity < taken) return { outcome: 'capacity_taken', taken };
    return checkedType({ ...before, ...change }, config);
  });
}

/**
 * How many memberships of the type are sold or held, of those that its capacity counts. A sale in this moment may still exceed a
 * lower capacity. Then nothing more is sold: the stock never goes below what is taken.
 */
async function takenOfType({ table, orgId }: MembershipDeps, typeId: number): Promise<number> {
  const stock = await stockOf(table, orgId, stockRef({ kind: 'type', typeId }));
  return stock === undefined ? 0 : stock.capacity - stock.avail;
}

/** Creates the membership category, unless one with this code exists. */
export function createMembershipCategory(
  deps: MembershipDeps,
  values: CategoryValues,
  sideEffects: SideEffects<MembershipConfig>,
): Promise<SavedMembership> {
  const categoryId = derivedId(deps.orgId, 'category', values.code);
  return save(
    deps,
    (config) =>
      refusedNew(config.categories.get(categoryId)) ??
      checkedCategory({ kind: 'category', categoryId, ...values }, config),
    sideEffects,
  );
}

export function updateMembershipCategory(
  deps: MembershipDeps,
  categoryId: number,
  { change, ifMatch }: Change<CategoryValues>,
): Promise<SavedMembership> {
  return save(deps, (config) => {
    const before = config.categories.get(categoryId);
    if (before === undefined) return { outcome: 'missing' };
    return versionChanged(before, ifMatch) ?? checkedCategory({ ...before, ...change }, config);
  });
}

interface CheckOnly {
  /** Decides, and writes nothing. */
  readonly dryRun: boolean;
}

/** Creates the payment option, unless one with this code exists. Its code is its id. */
export function createPaymentOption(
  deps: MembershipDeps & CheckOnly,
  values: PaymentOptionValues,
  sideEffects: SideEffects<MembershipConfig>,
): Promise<SavedMembership> {
  const rule: Rule = (config) => refusedNew(config.paymentOptions.get(values.code)) ?? { kind: 'option', ...values };
  return save(deps, rule, sideEffects);
}

/** Changes the given fields of a payment option. Baskets and plans keep the option as they were offered it. */
export function updatePaymentOption(
  deps: MembershipDeps & CheckOnly,
  code: string,
  { change, ifMatch }: Change<PaymentOptionValues>,
): Promise<SavedMembership> {
  return save(deps, ({ paymentOptions }) => {
    const before = paymentOptions.get(code);
    if (before === undefined) return { outcome: 'missing' };
    return versionChanged(before, ifMatch) ?? { ...before, ...change };
  });
}

/** Two codes with the same id are as unlikely as any two equal hashes, and look like one code. */
function refusedNew(before: ConfigDraft | undefined): MembershipRefusal | undefined {
  return before && { outcome: 'code_taken' };
}

type DraftOf<Kind> = Extract<ConfigDraft, { kind: Kind }>;

function checkedType(wanted: DraftOf<'type'>, config: MembershipConfig): ConfigDraft | MembershipRefusal {
  const field = typeRefusal(wanted, config);
  return field === undefined ? wanted : { outcome: 'invalid', field, currency: wanted.currency };
}

function checkedCategory(wanted: DraftOf<'category'>, config: MembershipConfig): ConfigDraft | MembershipRefusal {
  const field = categoryRefusal(wanted, config);
  return field === undefined ? wanted : { outcome: 'invalid', field, currency: null };
}

type Rule = (config: MembershipConfig) => ConfigDraft | MembershipRefusal;

/** Saves what the rule wants. The rule is asked again if somebody else changed the row meanwhile. */
function save(
  deps: MembershipDeps & Partial<CheckOnly>,
  rule: Rule,
  sideEffects: SideEffects<MembershipConfig> = noSideEffects,
): Promise<SavedMembership> {
  const { table, orgId } = deps;
  return retryRaces('membership configuration', async () => {
    const rows = await readConfigRows(table, orgId);
    const wanted = rule(configOfRows(rows));
    if ('outcome' in wanted) return wanted;
    const planned = planConfigSave(orgId, rows, wanted);
    if (planned.outcome === 'unchanged') return { outcome: 'saved', config: configOfRows(rows), jobId: null };
    const config = configOfRows(planned.rows);
    if (deps.dryRun === true) return { outcome: 'saved', config, jobId: null };
    const Put = configPut(table, orgId, planned.row);
    const job = await refreshJob(deps, planned);
    const seatsJob = await seatsJobOfConfig(deps, configOfRows(rows), planned.row.record);
    const items = [{ Put }, ...[job, seatsJob].flatMap((one) => (one === undefined ? [] : jobPuts(table, orgId, one)))];
    const refused = await transact(table, items, sideEffects(config));
    return refused.length > 0 ? undefined : { outcome: 'saved', config, jobId: job?.jobId ?? null };
  });
}

/** The lists of members by type are a moment behind, so a member that was created just now would be missed. */
const listsSettledSeconds = 30;

/** The job that rewrites the members with a copy of what changes; undefined if none has one. */
async function refreshJob(
  { table, orgId, nowUnix, requestId }: MembershipDeps,
  planned: ConfigChange,
): Promise<JobRecord | undefined> {
  const typeIds = planned.affected.map(({ typeId }) => typeId);
  if (typeIds.length === 0) return undefined;
  const { record } = planned.row;
  const changed = configKey(orgId, record).sk.replace('#', '-');
  // To count the members of a type would be to read them, so the estimate is that of all members.
  const total = await approximateMemberCount(table, orgId);
  return newJob(
    refreshMembersJobId(changed, record.version),
    { kind: 'refresh-members', typeIds },
    { total, nowUnix, dueUnix: nowUnix + listsSettledSeconds, requestId: requestId ?? null },
  );
}
