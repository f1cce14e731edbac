import { CloudError } from '../cloud-error.ts';

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The period of an expression such as `rate(5 minutes)`. Others, such as cron, are not supported. */
export function rateMs(expression: string, logicalId: string): number {
  const [, value, unit = ''] = expression.match(/^rate\((\d+) (minute|hour|day)s?\)$/) ?? [];
  const unitLength = unitMs[unit];
  if (value === undefined || unitLength === undefined || Number(value) === 0) {
    throw new CloudError(`The local cloud does not support the schedule expression ${expression} of ${logicalId}`);
  }
  return Number(value) * unitLength;
}
