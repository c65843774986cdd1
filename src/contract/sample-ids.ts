export const ids = {
  request: '4f6c1f0a9d3e4b7c8a2d5e6f7a8b9c0d',
  product: '019caedd-fa80-737b-b4b8-3c8109b5d4b3',
  manifest: '019cb71b-5a80-7040-aecc-78cb9b345ab5',
  slabLine: '019cb71b-5a80-76a5-958f-d94bd2aa4e03',
  boxLine: '019cb71b-5a80-71c2-9fd8-f8758c791025',
  fulfillment: '019cc377-6a80-73c0-b460-b6a20465383e',
  transfer: '019cc586-c280-754a-8be9-c052ecbec337',
  event: '019cc796-1a80-72cd-9d0d-7e733012759c',
  earlierEvent: '019cc168-1280-72b6-802c-68a54e98c582',
  subscription: '019caedd-fa80-769c-8e7f-8ca86e7765e3',
  delivery: '019cc9a5-7280-7363-9ce9-c84dec062d98',
}

export const qids = { slab: 'Q-A30A-6MYT-36VN', box: 'Q-GNJ8-TF8K-B9DS', flagged: 'Q-AWTM-5CY5-6DDM' }
