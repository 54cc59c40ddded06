// The version of the package, which requests name. A test compares it with package.json.

export const VERSION = '0.1.0';
