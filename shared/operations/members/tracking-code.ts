import * as v from 'valibot';
import { memberLimits } from '../../domain/member-record.ts';

export const TrackingCode = v.pipe(v.string(), v.minLength(1), v.maxLength(memberLimits.short));
