import { isCancelledMember, type MemberStatusId } from './status.ts';

/** The fields of a member that an order here decides, once it has sold the member a term. */
export interface SoldFields {
  readonly statusId: MemberStatusId;
  readonly typeId: number | null;
  readonly expiresUnix: number | null;
  readonly orderId: string | null;
  readonly userId: number | null;
  readonly autoRenew: boolean;
  readonly instalments: boolean;
}

/** Each of these fields, by the column of a file that would change it. */
const soldColumns = {
  statusId: 'membership_member_status_id',
  typeId: 'membership_type_code',
  expiresUnix: 'expires',
  orderId: 'membership_order_id',
  userId: 'org_customer_id',
  autoRenew: 'auto_renew',
  instalments: 'instalments',
} as const satisfies Record<keyof SoldFields, string>;
const soldFields = ['statusId', 'typeId', 'expiresUnix', 'orderId', 'userId', 'autoRenew', 'instalments'] as const;

/** The columns of a file that would change what an order here has sold. */
export function soldColumnsChanged(before: SoldFields, after: SoldFields): readonly string[] {
  return soldFields.filter((name) => before[name] !== after[name]).map((name) => soldColumns[name]);
}

/** Cancelled is final, for files as for the API. */
export function isRevived(before: Pick<SoldFields, 'statusId'>, after: Pick<SoldFields, 'statusId'>): boolean {
  return isCancelledMember(before) && !isCancelledMember(after);
}
