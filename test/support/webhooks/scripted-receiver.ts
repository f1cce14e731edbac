import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import { newSecret } from '../../../shared/webhooks/signature.ts';
import type { DeliverySimulation } from './delivery-simulation.ts';
import { type Answer, answerWith, hang, type Receiver, startReceiver } from './receiver.ts';
import { verified } from './verify-signature.ts';

/** Shaky ones acknowledge most of what they get, and answer 500 to the rest or cut the connection. */
export type Behaviour = 'well' | 'shaky' | 'down' | 'hanging';

/** An event that reached a receiver, its signature verified. */
export interface Received {
  readonly atMs: number;
  readonly eventId: string;
  readonly timestamp: number;
  readonly isAcknowledged: boolean;
}

const reset: Answer = (_arrival, _response, socket) => void socket.resetAndDestroy();

/** A real receiver over HTTP, with its endpoint, that lives in the time of a simulation and has moods. */
export class ScriptedReceiver {
  behaviour: Behaviour = 'well';
  readonly received: Received[] = [];
  readonly forgeries: unknown[] = [];
  readonly endpointId: string;
  readonly url: string;
  private readonly receiver: Receiver;

  private constructor(receiver: Receiver, endpointId: string) {
    this.receiver = receiver;
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
    const moody = new ScriptedReceiver(receiver, endpointId);
    receiver.answer = (arrival, response, socket) => {
      const answer = moody.answer(random());
      try {
        verified(arrival, secret, simulation.nowMs);
      } catch (error) {
        moody.forgeries.push(error);
      }
      moody.received.push({
        atMs: simulation.nowMs,
        eventId: arrival.headers['webhook-id'] ?? '',
        timestamp: Number(arrival.headers['webhook-timestamp']),
        isAcknowledged: answer === acknowledge,
      });
      answer(arrival, response, socket);
    };
    return moody;
  }

  private answer(random: number): Answer {
    if (this.behaviour === 'hanging') return hang;
    const isWilling = this.behaviour === 'well' || (this.behaviour === 'shaky' && random < 0.7);
    if (isWilling) return acknowledge;
    return Math.floor(random * 100) % 2 === 0 ? refuse : reset;
  }

  /** What it acknowledged although it had done so before. */
  get repeats(): string[] {
    const acknowledged = this.received.filter(({ isAcknowledged }) => isAcknowledged).map(({ eventId }) => eventId);
    return acknowledged.filter((eventId, index) => acknowledged.indexOf(eventId) < index);
  }

  get acknowledged(): Set<string> {
    return new Set(this.received.filter(({ isAcknowledged }) => isAcknowledged).map(({ eventId }) => eventId));
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }
}

const acknowledge = answerWith(200);
const refuse = answerWith(500, 'no');
