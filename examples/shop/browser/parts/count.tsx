interface CountProps {
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-busy'?: boolean;
  readonly from?: number;
  readonly to: number;
  readonly value: number;
  readonly onChange: (count: number) => void;
}

/** A choice of how many. */
export function Count({ from = 0, to, onChange, ...shown }: CountProps) {
  return (
    <select {...shown} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
      {Array.from({ length: to - from + 1 }, (_, index) => (
        <option key={index} value={from + index}>
          {from + index}
        </option>
      ))}
    </select>
  );
}
