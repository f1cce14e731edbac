/** How to run the samples of the page. */
export const aboutSamples = `# Code samples

Every operation has a program in curl, TypeScript and Python that runs as it is printed. The programs contain no ids: they ask for one, or
make what they need, before they call the operation. Three need what they cannot make: retrieve-document and retrieve-document-pdf a receipt,
which follows a sale within a minute, and record-order-payment an invoice that is not paid. They read your API key, and the token of a fan for the operations of signed-in fans,
from the environment. In the folder of the local run (with a hosted stage, the platform team issues the key, and your identity provider the token):

\`\`\`sh
export GATELINE_API_KEY=$(node -p "require('./.local/run.json').organisations[0].api_key")
export GATELINE_SSO_TOKEN=$(node -p "require('./.local/run.json').sso.linked_token")
\`\`\`

Save a program in TypeScript as \`sample.mts\` and run it with \`node sample.mts\` (Node 24), one in Python with Python 3.`;
