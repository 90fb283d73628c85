// An app with the unmodified SDK, as its documentation sets it up. The test starts it as a separate process.
import * as Sentry from '@sentry/node';

const [, , what, userId] = process.argv;

Sentry.init({
  dsn: process.env.SENTRY_DSN,
  release: 'com.example.shop@1.4.0+140',
  environment: 'staging',
  tracesSampleRate: 1,
});
Sentry.setUser({ id: userId, ip_address: '203.0.113.7' });
Sentry.setTag('plan', 'pro');
Sentry.addBreadcrumb({ category: 'ui.click', message: 'Pay' });

class CartError extends Error {
  name = 'CartError';
}

function pay() {
  try {
    throw new TypeError('no connection');
  } catch (cause) {
    throw new CartError('The cart is empty', { cause });
  }
}

if (what === 'handled') {
  try {
    pay();
  } catch (error) {
    Sentry.getCurrentScope().addAttachment({
      filename: 'cart.json',
      data: '{"items":[]}',
      contentType: 'application/json',
    });
    console.log(Sentry.captureException(error));
  }
  Sentry.startSpan({ name: 'checkout' }, () => undefined);
  Sentry.captureMessage('Shop opened', 'info');
  await Sentry.flush(10_000);
} else if (what === 'feedback') {
  const associatedEventId = Sentry.captureException(new CartError('The cart is empty'));
  const screenshot = process.env.SCREENSHOT ? Buffer.from(process.env.SCREENSHOT, 'base64') : Buffer.alloc(0);
  const attachments = [{ filename: 'screenshot.png', data: screenshot, contentType: 'image/png' }];
  const feedback = {
    message: 'Paying fails',
    name: 'Grace',
    email: 'grace@example.org',
    url: 'shop://cart',
    associatedEventId,
  };
  console.log(Sentry.captureFeedback(feedback, { attachments }));
  await Sentry.flush(10_000);
} else if (what === 'unhandled') {
  setTimeout(pay, 10);
} else {
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Sentry.flush(10_000);
}
