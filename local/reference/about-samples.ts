/** How to run the samples of the page. */
export const aboutSamples = `# Code samples

Every operation has a program in curl, TypeScript and Python that runs as it is printed. The programs contain no ids: they ask for one, or
make what they need, before they call the operation. Two need what they cannot make at once: retrieve-document and retrieve-document-pdf a receipt,
which follows a sale within a minute. The demo has some. They read your API key, the token of a linked fan for the operations of signed-in fans, and that of
another fan for link-sso-user and unlink-sso-user, from the environment. In the folder of the local run (with a hosted stage, the platform team issues the key, and your identity provider the tokens):

\`\`\`sh
export GATELINE_API_KEY=$(node -p "require('./.local/run.json').organisations[0].api_key")
export GATELINE_SSO_TOKEN=$(node -p "require('./.local/run.json').sso.linked_token")
export GATELINE_NEW_SSO_TOKEN=$(node -p "require('./.local/run.json').sso.verified_token")
\`\`\`

Save a program in TypeScript as \`sample.mts\` and run it with \`node sample.mts\` (Node 24), one in Python with Python 3.`;
