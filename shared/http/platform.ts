import { openTable, type Table } from '../data/table/table.ts';
import type { Operation } from '../operations/operation.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { tableName, tokenPublicKeys, trustedCdn } from '../platform/env.ts';
import type { TicketLink } from './auth/link-token.ts';
import { parseSigningKeys, type SigningKeys } from './auth/signed-token.ts';
import { parseCdn, type TrustedCdn } from './auth/trusted-cdn.ts';

/** The dependencies of the pipeline. They are made at the first request, not at import, and kept for the life of the instance. */
export interface Platform {
  readonly clock: Clock;
  table(): Table;
  /** The keys that verify the signatures of API keys and gate tokens. */
  signingKeys(): SigningKeys;
  /** The CDN in front of the stage. Without one, the address of a client is that of its connection. */
  cdn?(): TrustedCdn | undefined;
  /** Verifies the token of a ticket's link. Only functions that accept one contain the code that reads its key. */
  verifyLink?(token: string): Promise<TicketLink | undefined>;
}

let opened: Table | undefined;
let parsed: SigningKeys | undefined;
let cdn: { readonly trusted: TrustedCdn | undefined } | undefined;

/** A streamed response may take minutes instead of seconds, and reads a megabyte at a time. */
const streaming = { requestHandler: { connectionTimeout: 1_000, requestTimeout: 15_000, throwOnRequestTimeout: true } };

export function livePlatform({ output }: Operation): Platform {
  return {
    clock: systemClock,
    table() {
      opened ??= openTable(tableName(), output.streamed ? streaming : {});
      return opened;
    },
    signingKeys() {
      parsed ??= parseSigningKeys(tokenPublicKeys());
      return parsed;
    },
    cdn() {
      cdn ??= { trusted: parseCdn(trustedCdn()) };
      return cdn.trusted;
    },
  };
}
