import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';

const Pass = v.looseObject({
  serialNumber: v.string(),
  passTypeIdentifier: v.string(),
  webServiceURL: v.string(),
  authenticationToken: v.string(),
  voided: v.optional(v.boolean(), false),
  barcodes: v.optional(v.array(v.looseObject({ message: v.string() })), []),
});
export type Pass = v.InferOutput<typeof Pass>;

/** The content of a downloaded pass, unpacked by unzip. */
export async function readPass(response: Response): Promise<Pass> {
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/vnd.apple.pkpass');
  const folder = mkdtempSync(join(tmpdir(), 'gateline-device-'));
  try {
    const file = join(folder, 'ticket.pkpass');
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    execFileSync('unzip', ['-q', file, '-d', folder]);
    return v.parse(Pass, JSON.parse(readFileSync(join(folder, 'pass.json'), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const Changes = v.object({ serialNumbers: v.array(v.string()), lastUpdated: v.string() });

interface PhoneOptions {
  readonly deviceId?: string;
  readonly pushToken?: string;
  /** By default the token of the pass. */
  readonly token?: string;
}

/** What a phone does with a pass, at the address that the pass names. */
export function phoneWith(
  pass: Pass,
  { deviceId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90', pushToken = 'abcdef0123456789', token }: PhoneOptions = {},
) {
  const { webServiceURL, passTypeIdentifier, serialNumber } = pass;
  const list = `${webServiceURL}/v1/devices/${deviceId}/registrations/${passTypeIdentifier}`;
  const headers = { Authorization: `ApplePass ${token ?? pass.authenticationToken}` };
  return {
    pushToken,
    register: async (body = JSON.stringify({ pushToken })) =>
      (await fetch(`${list}/${serialNumber}`, { method: 'POST', headers, body })).status,
    unregister: async () => (await fetch(`${list}/${serialNumber}`, { method: 'DELETE', headers })).status,
    changes: async (since?: string) => {
      const response = await fetch(since === undefined ? list : `${list}?passesUpdatedSince=${since}`);
      return response.status === 204 ? undefined : v.parse(Changes, await response.json());
    },
    /** `since` is the date that the response before had. */
    fetch: (since?: string | null) =>
      fetch(`${webServiceURL}/v1/passes/${passTypeIdentifier}/${serialNumber}`, {
        headers: { ...headers, ...(since && { 'If-Modified-Since': since }) },
      }),
  };
}
