import { expect, it } from 'vitest';
import { isCreditNoteDue } from '../../examples/office/browser/credit-notes.ts';

const [receipt, creditNote] = [{ kind: 'receipt' }, { kind: 'credit_note' }] as const;
const [succeeded, pending, failed] = [{ status: 'succeeded' }, { status: 'pending' }, { status: 'failed' }] as const;

it.each([
  ['no receipt', [], [succeeded], false],
  ['no refund', [receipt], [], false],
  ['a refund', [receipt], [succeeded], true],
  ['a refund that staff have to hand over', [receipt], [pending], false],
  ['a refund and its credit note', [receipt, creditNote], [succeeded], false],
  ['two refunds and the credit note of the first', [receipt, creditNote], [succeeded, succeeded], true],
  ['a receipt that replaced another', [receipt, creditNote, receipt], [], false],
  ['a refund after a receipt that replaced another', [receipt, creditNote, receipt], [succeeded], true],
  ['a refund that failed later, and another one', [receipt, creditNote, receipt], [failed, succeeded], true],
  ['both with their credit notes', [receipt, creditNote, receipt, creditNote], [failed, succeeded], false],
] as const)('an order with %s waits for a credit note when one is due', (_title, documents, refunds, due) => {
  expect(isCreditNoteDue(documents, refunds)).toBe(due);
});
