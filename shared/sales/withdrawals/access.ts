import { membersAccess } from '../../data/members/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { scansAccess } from '../../data/scans/access.ts';
import { tableAccess } from '../../data/table/access.ts';
import { withdrawalsAccess } from '../../data/withdrawals/access.ts';
import type { FunctionAccess } from '../../domain/table-access.ts';
import { outboxAccess } from '../../outbox/access.ts';
import { salesAccess } from '../access.ts';

export const withdrawingAccess = {
  askToWithdraw: [
    tableAccess.personHash,
    ordersAccess.findOrderRef,
    ordersAccess.readOrderAt,
    withdrawalsAccess.listWithdrawals,
    withdrawalsAccess.askedPut,
    outboxAccess.outboxItems,
  ],
  receiveWithdrawal: [
    salesAccess.requestRefund,
    scansAccess.readUse,
    scansAccess.useEnded,
    membersAccess.readMember,
    membersAccess.changeMember,
    withdrawalsAccess.readWithdrawal,
    withdrawalsAccess.withdrawalPut,
    outboxAccess.outboxItems,
  ],
  decideWithdrawal: [
    salesAccess.requestRefund,
    membersAccess.changeMember,
    withdrawalsAccess.readWithdrawal,
    withdrawalsAccess.withdrawalPut,
    outboxAccess.outboxItems,
  ],
} satisfies FunctionAccess;
