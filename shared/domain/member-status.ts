export const memberStatuses = { unpaid: 0, paid: 1, instalments: 2, cancelled: 3 } as const;
export type MemberStatusName = keyof typeof memberStatuses;
export type MemberStatusId = (typeof memberStatuses)[MemberStatusName];

/** From each status to those that may follow it. Cancelled is final: whoever comes back is a new member. */
export const memberStatusTransitions: Readonly<Record<MemberStatusId, readonly MemberStatusId[]>> = {
  0: [1, 2, 3],
  1: [3],
  2: [1, 3],
  3: [],
};

/** To stay what one is is no transition, and always allowed. */
export function mayBecome(current: MemberStatusId, next: MemberStatusId): boolean {
  return current === next || memberStatusTransitions[current].includes(next);
}
