/** The SDK announces the end of its support of Node 20 in every process that loads it; ADR 0010 knows. */
export const quietSdk = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
