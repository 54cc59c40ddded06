// Databases on the PostgreSQL server of the tests: those that the tests of the service use.
export {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../../service/dist/testing/postgresql.js';
