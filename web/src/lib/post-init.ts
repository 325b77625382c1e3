/** How a product call is sent, but for its `Authorization`. */
export const postInit = (body: unknown) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
