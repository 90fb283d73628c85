// A suite in plain JavaScript: speaks WebDriver to the Appium server of the device, and writes a JUnit XML report.
import { writeFileSync } from 'node:fs';

const { APPIUM_URL, MOORING_OUTPUT, SCREENSHOT_PATH } = process.env;

async function send(method, path, body) {
  const answer = await fetch(APPIUM_URL + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(value.message);
  return value;
}

// The server knows the device.
const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: {} } });
const page = `/session/${sessionId}`;
console.log('started: isOpenedByAPhone (notes.mjs)');
await send('POST', `${page}/url`, { url: 'data:text/html,<title>Notes</title>' });
const file = `${SCREENSHOT_PATH}/opened.png`;
writeFileSync(file, Buffer.from(await send('GET', `${page}/screenshot`), 'base64'));
console.log(`Opened - ${file}`);
const title = await send('GET', `${page}/title`);
console.log(title === 'Notes' ? 'succeeded' : 'failed');
console.log('finished');
await send('DELETE', page);
const failure = title === 'Notes' ? '' : `<failure message="expected Notes but was ${encodeURIComponent(title)}"/>`;
writeFileSync(
  `${MOORING_OUTPUT}/TEST-notes.xml`,
  `<testsuite name="notes.mjs"><testcase name="isOpenedByAPhone" time="1">${failure}</testcase></testsuite>`,
);
