/** What Lambda's runtime has for functions that stream: a handler that streams looks for it as soon as it is loaded. */
Object.assign(globalThis, { awslambda: { streamifyResponse: (handler: unknown) => handler } });
