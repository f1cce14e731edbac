import * as v from 'valibot';
import { memberLimits } from '../../domain/members/limits.ts';

export const TrackingCode = v.pipe(v.string(), v.minLength(1), v.maxLength(memberLimits.short));
