import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { Emulator } from './emulator.ts';

interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The API of a stage in the emulator, which finds the API by the host name of the request. */
export class DeployedApi {
  readonly host: string;
  readonly base: string;
  readonly #emulator: Emulator;
  readonly #ca: Buffer;

  /** Takes the output ApiAddress of the stack: https://<id>.execute-api.<region>.amazonaws.com/<stage>/ */
  constructor(address: string, emulator: Emulator) {
    const { hostname, pathname } = new URL(address);
    this.host = `${hostname.split('.')[0]}.execute-api.localhost:${emulator.port}`;
    this.base = pathname.replace(/\/$/, '');
    this.#emulator = emulator;
    this.#ca = readFileSync(emulator.certificate);
  }

  /** A GET, or a POST of the form. */
  call(path: string, key: string, form?: Readonly<Record<string, string>>): Promise<ApiResponse> {
    const body = form && new URLSearchParams(form).toString();
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.#emulator.port,
          ca: this.#ca,
          path: `${this.base}${path}`,
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            Host: this.host,
            Authorization: `Bearer ${key}`,
            ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response;
            resolve({ status, headers, body: parsed(Buffer.concat(chunks).toString()) });
          });
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
