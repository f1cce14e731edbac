export const memberStatusIds = [0, 1, 2, 3] as const;
export type MemberStatusId = (typeof memberStatusIds)[number];

export const unpaidStatus = 0 as const satisfies MemberStatusId;
export const paidStatus = 1 as const satisfies MemberStatusId;
export const instalmentsStatus = 2 as const satisfies MemberStatusId;
export const cancelledStatus = 3 as const satisfies MemberStatusId;

/** A member, or what is stored of one. */
interface WithStatus {
  readonly statusId?: unknown;
}

export const isUnpaidMember = ({ statusId }: WithStatus): boolean => statusId === unpaidStatus;
export const isPaidMember = ({ statusId }: WithStatus): boolean => statusId === paidStatus;
export const hasOpenInstalments = ({ statusId }: WithStatus): boolean => statusId === instalmentsStatus;
/** Cancelled is final: a person who returns becomes a new member. */
export const isCancelledMember = ({ statusId }: WithStatus): boolean => statusId === cancelledStatus;

const names = { 0: 'unpaid', 1: 'paid', 2: 'instalments', 3: 'cancelled' } as const;

/** The allowed transitions. */
const transitions: Readonly<Record<MemberStatusId, readonly MemberStatusId[]>> = {
  0: [1, 2, 3],
  1: [2, 3],
  2: [1, 3],
  3: [],
};

export function statusName(id: MemberStatusId): (typeof names)[MemberStatusId] {
  return names[id];
}

/** Whether a member has paid, completely or in instalments so far. */
export function isPaying(id: MemberStatusId): boolean {
  return names[id] === 'paid' || names[id] === 'instalments';
}

export function nextStatuses(current: MemberStatusId): readonly MemberStatusId[] {
  return transitions[current];
}

/** Keeping the status is always allowed. */
export function isAllowedTransition(current: MemberStatusId, next: MemberStatusId): boolean {
  return current === next || transitions[current].includes(next);
}
