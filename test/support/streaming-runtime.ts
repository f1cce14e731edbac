/** The global of Lambda's runtime for streaming functions. A streaming handler needs it when it is loaded. */
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler: unknown) => handler } });
