/** An upload ticket that is valid for an hour. */
export const ticket = {
  access_key_id: 'id',
  access_key_secret: 'secret',
  security_token: 'token',
  bucket: 'bucket',
  endpoint: 'drive.test',
  key: 'key',
  expiration: new Date(Date.now() + 3600 * 1000).toISOString(),
};
