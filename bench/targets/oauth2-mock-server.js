// oauth2-mock-server with an ES256 key: signs every requested token. It verifies nothing and consumes nothing.
import { OAuth2Server } from 'oauth2-mock-server';

const server = new OAuth2Server();
await server.issuer.keys.generate('ES256');
await server.start(Number(process.argv[2]), '127.0.0.1');
process.send?.('ready');
