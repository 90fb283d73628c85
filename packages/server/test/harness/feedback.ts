import { createForm, type FormPart } from '../../../../tools/samples/images.ts';
import type { Config } from '../../src/config.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { testApp } from './app.ts';

export const home = '/v0.1/apps/ada/compass/feedback';

/** An app that receives feedback, and its people. */
export async function openFeedback(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const compass = await app.addApp(ada, 'compass');
  const { app_secret: secret } = (await app.call('GET', '/v0.1/apps/ada/compass', { token })).json();
  const headers = { 'app-secret': secret as string };
  const send = (body: object, more: object = {}) =>
    app.call('POST', '/v0.1/public/feedback', { headers, body, ...more });
  /** As a form, with the fields and files in this order. */
  const sendForm = (...parts: FormPart[]) => {
    const { type, body } = createForm(...parts);
    return app.call('POST', '/v0.1/public/feedback', { headers: { ...headers, 'content-type': type }, body });
  };
  const call = (method: string, path = '', body?: object, as = token) =>
    app.call(method, `${home}${path}`, { token: as, ...(body ? { body } : {}) });
  const list = async (query = '') => (await call('GET', query)).json().values;
  const get = async (id: string) => (await call('GET', `/${id}`)).json();
  return { app, ada, token, compass, secret: secret as string, send, sendForm, call, list, get };
}

export const picturePart = (content: Uint8Array, type = 'image/png', fileName = 'a.png'): FormPart => ({
  field: 'pictures',
  fileName,
  type,
  content: Buffer.from(content),
});

export const textPart = (content = 'It is upside down.'): FormPart => ({ field: 'text', content });
