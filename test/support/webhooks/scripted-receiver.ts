import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import { newSecret } from '../../../shared/webhooks/signature.ts';
import type { DeliverySimulation } from './delivery-simulation.ts';
import { hang, type Receiver, type Respond, respondWith, startReceiver } from './receiver.ts';
import { verifySignature } from './verify-signature.ts';

/** Flaky receivers acknowledge most requests, and respond 500 to the rest or reset the connection. */
export type Behaviour = 'healthy' | 'flaky' | 'down' | 'hanging';

/** An event that reached a receiver, its signature verified. */
export interface Received {
  readonly atMs: number;
  readonly eventId: string;
  readonly timestamp: number;
  readonly isAcknowledged: boolean;
}

const reset: Respond = (_arrival, _response, socket) => void socket.resetAndDestroy();

/** A real receiver over HTTP with its endpoint, in the time of a simulation, with a behaviour that a test sets. */
export class ScriptedReceiver {
  behaviour: Behaviour = 'healthy';
  readonly received: Received[] = [];
  readonly forgeries: unknown[] = [];
  readonly endpointId: string;
  readonly url: string;
  readonly #receiver: Receiver;

  constructor(receiver: Receiver, endpointId: string) {
    this.#receiver = receiver;
    this.endpointId = endpointId;
    this.url = receiver.url;
  }

  static async start(
    simulation: DeliverySimulation,
    random: () => number,
    settings: Partial<EndpointRecord>,
  ): Promise<ScriptedReceiver> {
    const receiver = await startReceiver();
    const secret = newSecret();
    const endpointId = await simulation.givenEndpoint({ ...settings, url: receiver.url, secret });
    const scripted = new ScriptedReceiver(receiver, endpointId);
    receiver.respond = (arrival, response, socket) => {
      const respond = scripted.#choose(random());
      try {
        verifySignature(arrival, secret, simulation.nowMs);
      } catch (error) {
        scripted.forgeries.push(error);
      }
      scripted.received.push({
        atMs: simulation.nowMs,
        eventId: arrival.headers['webhook-id'] ?? '',
        timestamp: Number(arrival.headers['webhook-timestamp']),
        isAcknowledged: respond === acknowledge,
      });
      respond(arrival, response, socket);
    };
    return scripted;
  }

  #choose(random: number): Respond {
    if (this.behaviour === 'hanging') return hang;
    const acknowledges = this.behaviour === 'healthy' || (this.behaviour === 'flaky' && random < 0.7);
    if (acknowledges) return acknowledge;
    return Math.floor(random * 100) % 2 === 0 ? refuse : reset;
  }

  /** The events that it acknowledged more than once. */
  get repeats(): string[] {
    const acknowledged = this.received.filter(({ isAcknowledged }) => isAcknowledged).map(({ eventId }) => eventId);
    return acknowledged.filter((eventId, index) => acknowledged.indexOf(eventId) < index);
  }

  get acknowledged(): Set<string> {
    return new Set(this.received.filter(({ isAcknowledged }) => isAcknowledged).map(({ eventId }) => eventId));
  }

  stop(): Promise<void> {
    return this.#receiver.stop();
  }
}

const acknowledge = respondWith(200);
const refuse = respondWith(500, 'no');
