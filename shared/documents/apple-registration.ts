import * as v from 'valibot';
import { type PassSubject, readPassToken, readSerial } from './apple-serial.ts';

type Params = Readonly<Record<string, string | undefined>>;

/** A pass that a request of a device names, with the token of the pass. */
export interface NamedPass {
  readonly serialNumber: string;
  readonly subject: PassSubject;
  /** The key of the organisation that signed the token. A newer one ends it. */
  readonly keyVersion: number;
}

/** The pass in the path, if the request has its token; undefined for any other request. Needs no call to the table. */
export async function readNamedPass(params: Params, authorization: string | undefined): Promise<NamedPass | undefined> {
  const serialNumber = params.serial_number ?? '';
  const subject = readSerial(serialNumber);
  if (subject === undefined) return undefined;
  const keyVersion = await readPassToken(serialNumber, authorization);
  return keyVersion === undefined ? undefined : { serialNumber, subject, keyVersion };
}

const DeviceId = v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/));

/** Apple's id of a device in the path; undefined if the text cannot be one. */
export function readDeviceId({ device_id }: Params): string | undefined {
  const { success, output } = v.safeParse(DeviceId, device_id);
  return success ? output : undefined;
}

const Registration = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ pushToken: v.pipe(v.string(), v.regex(/^[\w+/=-]{1,500}$/)) }),
);

export function readPushToken(body: string): string | undefined {
  const { success, output } = v.safeParse(Registration, body);
  return success ? output.pushToken : undefined;
}

const Log = v.pipe(v.string(), v.parseJson(), v.object({ logs: v.array(v.string()) }));

/** What Apple's devices complain about, cut to what is worth a log entry. */
export function readDeviceLogs(body: string): readonly string[] {
  const { success, output } = v.safeParse(Log, body);
  return success ? output.logs.slice(0, 5).map((line) => line.slice(0, 300)) : [];
}
