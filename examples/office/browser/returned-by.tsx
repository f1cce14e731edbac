/** How staff return what was paid at the counter, as the API names it. */
export const returnedByWords = {
  cash: 'in cash',
  terminal: 'with the card terminal',
  bank_transfer: 'by bank transfer',
  other: 'in another way',
} as const;
export type ReturnedBy = keyof typeof returnedByWords;

const kinds: readonly ReturnedBy[] = ['cash', 'terminal', 'bank_transfer', 'other'];

interface PaidOrder {
  readonly payment_method: string | null;
  readonly paid?: number;
}

/** How an order of the counter was paid; undefined if the payment provider returns the money. */
export function paidByHand({ payment_method, paid = 0 }: PaidOrder): ReturnedBy | undefined {
  if (payment_method === 'invoice') return paid > 0 ? 'bank_transfer' : undefined;
  return kinds.find((kind) => kind === payment_method);
}

interface Props {
  readonly value: ReturnedBy;
  readonly onChoose: (kind: ReturnedBy) => void;
  readonly label?: string;
}

/** The choice of how money goes back that no provider returns. */
export function ReturnedByField({ value, onChoose, label = 'You return it' }: Props) {
  return (
    <p class="field">
      <label for="returned-by">{label}</label>
      <select
        id="returned-by"
        value={value}
        onChange={({ currentTarget }) => onChoose(kinds.find((kind) => kind === currentTarget.value) ?? value)}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {returnedByWords[kind]}
          </option>
        ))}
      </select>
    </p>
  );
}
