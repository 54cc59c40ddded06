// oauth2-mock-server with an ES256 key: signs whatever it is asked for. It verifies nothing and spends nothing.
import { OAuth2Server } from 'oauth2-mock-server';

const server = new OAuth2Server();
await server.issuer.keys.generate('ES256');
await server.start(Number(process.argv[2]), '127.0.0.1');
process.send?.('ready');
