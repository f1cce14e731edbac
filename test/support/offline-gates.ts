import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gate } from '../../examples/gate/gate.ts';
import { issueGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { makeGateToken } from '../../tools/fixtures/signing-key.ts';
import { shareService } from './service.ts';

interface Network {
  readonly url: string;
  cut(): Promise<void>;
  repair(): Promise<void>;
}

/** The cable between the gate and the service. */
async function startNetwork(target: string): Promise<Network> {
  const { hostname, port, pathname } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const listen = async (at: number): Promise<number> => {
    const created = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.pipe(other);
      }
    });
    server = created;
    await new Promise<void>((resolve) => created.listen(at, '127.0.0.1', resolve));
    const address = created.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const own = await listen(0);
  return {
    url: `http://127.0.0.1:${own}${pathname === '/' ? '' : pathname}`,
    async cut() {
      const ending = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      if (ending !== undefined) await new Promise((resolve) => ending.close(resolve));
    },
    async repair() {
      await listen(own);
    },
  };
}

/** The service of an organisation, a network to it, and a folder for its gates. `stop` ends all of them. */
export async function startPlace(orgId: string) {
  const service = await shareService([orgId]);
  const network = await startNetwork(service.url);
  const folder = mkdtempSync(join(tmpdir(), 'gateline-gate-'));
  const stop = async () => {
    rmSync(folder, { recursive: true });
    await network.cut();
    await service.stop();
  };
  return { service, orgId, network, folder, stop };
}

export type Place = Awaited<ReturnType<typeof startPlace>>;

/** A device with the sample gate, whose clock may be wrong. `at` asks another server than the service. */
export async function newGate(
  place: Place & { readonly aheadSeconds?: number },
  name: string,
  eventId: number,
  gateId: number,
) {
  const { service, orgId, network, folder, aheadSeconds = 0 } = place;
  const nowUnix = () => Math.floor(service.cloud.clock.now() / 1000);
  const fields = { label: name, gates: [gateId], events: [eventId], offline: true } as const;
  const expiry = { createdUnix: nowUnix(), expiresUnix: nowUnix() + 3_600 };
  const { text: token } = await issueGateToken(service.table, orgId, { ...fields, ...expiry }, makeGateToken);
  // A cut connection is refused at once. A busy machine may take longer than a gate waits.
  const options = { token, eventId: String(eventId), gateId, folder: join(folder, name), liveTimeoutMs: 60_000 };
  const at = (url: string) => new Gate({ ...options, url, nowUnix: () => nowUnix() + aheadSeconds });
  return { token, at, gate: at(network.url), restart: () => at(network.url) };
}
