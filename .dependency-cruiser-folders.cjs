// Forbids circles between folders. A run of its own, because tests are left out: a test may import every module.
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-circle-between-folders',
      severity: 'error',
      comment: 'Move what causes the circle into the folder that the other one may import.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '\\.test\\.ts$|/testing/' } },
};
