import type { Operation } from './operation.ts';
import { retrieveOrganisation } from './organisation/retrieve-organisation.ts';
import { retrieveRateLimit } from './rate-limit/retrieve-rate-limit.ts';
import { health } from './service/health.ts';
import { openapi } from './service/openapi.ts';

/** The API: the only list of operations there is. Its order is the order of the OpenAPI document. */
export const operations: readonly Operation[] = [retrieveOrganisation, retrieveRateLimit, openapi, health];
