import * as v from 'valibot';
import { webhookEventTypes } from '../../domain/webhooks/event-types.ts';

export const WebhookEventType = v.picklist(webhookEventTypes);
