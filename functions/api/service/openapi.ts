import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { openApiDocument } from '../../../shared/openapi/document.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { openapi } from '../../../shared/operations/service/openapi.ts';

type Document = ReturnType<typeof openApiDocument>;

/** An instance is usually called at one address, so it generates the document once. */
let cached: { readonly baseUrl: string; readonly document: Document } | undefined;

export const describe: Handle<typeof openapi> = async (_input, { baseUrl }) => {
  if (cached?.baseUrl !== baseUrl) cached = { baseUrl, document: openApiDocument(operations, baseUrl) };
  return cached.document;
};

export const handler = pipeline(openapi, describe);
