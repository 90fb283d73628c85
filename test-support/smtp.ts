import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type SecureContextOptions, TLSSocket } from 'node:tls';

export interface ReceivedMail {
  from: string;
  to: string[];
  data: string;
  isEncrypted: boolean;
}

interface SmtpOptions {
  /** The number of emails to refuse before accepting all. */
  refusals?: number;
  port?: number;
  /** Offers STARTTLS. */
  tls?: Pick<SecureContextOptions, 'cert' | 'key'>;
}

/** A minimal mail server. */
export async function startSmtp({ refusals = 0, port = 0, tls }: SmtpOptions = {}) {
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let left = refusals;

  function serve(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    const isEncrypted = socket instanceof TLSSocket;
    const noMail = (): ReceivedMail => ({ from: '', to: [], data: '', isEncrypted });
    let mail = noMail();
    let isData = false;
    let text = '';
    const say = (line: string): true => {
      socket.write(`${line}\r\n`);
      return true;
    };
    const addressIn = (line: string) => /<(.*)>/.exec(line)?.[1] ?? '';

    function takeData(): boolean {
      const end = text.indexOf('\r\n.\r\n');
      if (end === -1) return false;
      mail.data = text.slice(0, end);
      text = text.slice(end + 5);
      isData = false;
      if (left > 0) {
        left -= 1;
        say('451 Try again later');
      } else {
        received.push(mail);
        say('250 Taken');
      }
      mail = noMail();
      return true;
    }

    function takeCommand(): boolean {
      const end = text.indexOf('\r\n');
      if (end === -1) return false;
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      const command = line.slice(0, 4).toUpperCase();
      commands.push(command);
      if (command === 'MAIL') mail.from = addressIn(line);
      if (command === 'RCPT') mail.to.push(addressIn(line));
      if (command === 'DATA') {
        isData = true;
        say('354 Go on');
      } else if (command === 'QUIT') socket.end('221 Bye\r\n');
      else if (command === 'STAR') return startTls();
      else if (command === 'EHLO' && tls && !isEncrypted) say('250-test\r\n250 STARTTLS');
      else if (command === 'EHLO') say('250-test\r\n250 AUTH PLAIN');
      else if (command === 'AUTH') say('235 Welcome');
      else say('250 OK');
      return true;
    }

    function startTls(): boolean {
      if (!tls || isEncrypted) return say('502 No STARTTLS here');
      socket.removeAllListeners('data');
      say('220 Go on');
      serve(new TLSSocket(socket, { ...tls, isServer: true }));
      return false;
    }

    socket.on('data', (chunk: Buffer) => {
      text += chunk;
      while (isData ? takeData() : takeCommand());
    });
    if (!isEncrypted) say('220 test');
  }

  const server = createServer(serve).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    received,
    /** The first four letters of each command. */
    commands,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
