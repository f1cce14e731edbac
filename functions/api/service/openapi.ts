import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { openApiDocument } from '../../../shared/openapi/document.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { openapi } from '../../../shared/operations/service/openapi.ts';

export const describe: Handle<typeof openapi> = async (_input, { baseUrl }) => openApiDocument(operations, baseUrl);

export const handler = pipeline(openapi, describe);
