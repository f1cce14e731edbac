/**
 * The secrets of a stage from which functions derive keys. Each has one purpose and its own readers: who may read a list opens no
 * secret of a webhook endpoint, and signs no link of a ticket.
 */
export const stageSecrets = ['cursors', 'links', 'webhooks'] as const;
export type StageSecretName = (typeof stageSecrets)[number];
