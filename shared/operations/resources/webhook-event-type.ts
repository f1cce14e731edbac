import * as v from 'valibot';
import { webhookEventTypes } from '../../domain/webhook-event-types.ts';

export const WebhookEventType = v.picklist(webhookEventTypes);
