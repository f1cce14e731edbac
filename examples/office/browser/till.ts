/** The till that this browser stands at, and who works there. The journal keeps both with every sale. */
export interface Till {
  readonly station: string;
  readonly operator: string;
}

const stored = 'office:till';

export function readTill(): Till {
  const [station = '', operator = ''] = (localStorage.getItem(stored) ?? '').split('\n');
  return { station, operator };
}

export function saveTill({ station, operator }: Till): void {
  localStorage.setItem(stored, `${station}\n${operator}`);
}
