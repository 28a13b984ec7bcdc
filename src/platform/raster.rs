//! SVG texts as images in the page and as PNG files.

use js_sys::{Array, Promise};
use keyfold_app::picture::raster_scale;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, Document, HtmlAnchorElement,
    HtmlCanvasElement, HtmlImageElement, Url,
};

/// A `blob:` URL of a file in memory. It is revoked on drop.
#[derive(Debug)]
pub struct ObjectUrl(String);

impl ObjectUrl {
    /// Creates the URL of a file.
    pub fn new(file: &Blob) -> Result<ObjectUrl, JsValue> {
        Url::create_object_url_with_blob(file).map(ObjectUrl)
    }

    /// The URL, `blob:...`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for ObjectUrl {
    fn drop(&mut self) {
        // URLs that are not revoked end with the page.
        let _ = Url::revoke_object_url(&self.0);
    }
}

/// A PNG file.
#[derive(Debug)]
pub struct Png {
    /// The file.
    pub file: Blob,
    /// Scale of the PNG relative to the picture; less than 2 if the picture is very large.
    pub scale: f64,
}

/// Returns an SVG text as a file.
pub fn svg_file(svg: &str) -> Result<Blob, JsValue> {
    blob(&svg.into(), "image/svg+xml")
}

/// Returns a file of this MIME type, from a string or an array of bytes.
pub fn blob(content: &JsValue, kind: &str) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    // Browsers have a single constructor for both.
    Blob::new_with_str_sequence_and_options(&Array::of1(content), &options)
}

/// Downloads a file under this name.
pub fn download(name: &str, file: &Blob) -> Result<(), JsValue> {
    let url = ObjectUrl::new(file)?;
    let anchor: HtmlAnchorElement = document()?.create_element("a")?.dyn_into()?;
    anchor.set_href(url.as_str());
    anchor.set_download(name);
    anchor.click();
    Ok(())
}

/// Renders an SVG text as a PNG at twice its size, or as large as the browser can.
///
/// # Errors
///
/// The text is not valid SVG, or the browser is out of memory.
pub async fn png(svg: &str) -> Result<Png, JsValue> {
    let url = ObjectUrl::new(&svg_file(svg)?)?;
    let image: HtmlImageElement = document()?.create_element("img")?.dyn_into()?;
    image.set_src(url.as_str());
    JsFuture::from(image.decode()).await?;
    let (width, height) = (
        f64::from(image.natural_width()),
        f64::from(image.natural_height()),
    );
    let mut scale = raster_scale(width, height);
    // Browsers with lower limits return an empty result.
    for _ in 0..4 {
        let canvas: HtmlCanvasElement = document()?.create_element("canvas")?.dyn_into()?;
        let size = |side: f64| (side * scale).round().max(1.0);
        canvas.set_width(size(width) as u32);
        canvas.set_height(size(height) as u32);
        if let Some(context) = canvas.get_context("2d")? {
            let context: CanvasRenderingContext2d = context.dyn_into()?;
            context.draw_image_with_html_image_element_and_dw_and_dh(
                &image,
                0.0,
                0.0,
                size(width),
                size(height),
            )?;
            if let Ok(file) = file_of(&canvas).await?.dyn_into::<Blob>() {
                return Ok(Png { file, scale });
            }
        }
        scale /= 2.0;
    }
    Err(JsValue::from_str(
        "the browser cannot make an image of this size",
    ))
}

/// Converts the canvas to a PNG; null if the browser cannot.
async fn file_of(canvas: &HtmlCanvasElement) -> Result<JsValue, JsValue> {
    let made = Promise::new(&mut |resolve, reject| {
        if let Err(error) = canvas.to_blob(&resolve) {
            let _ = reject.call1(&JsValue::NULL, &error);
        }
    });
    JsFuture::from(made).await
}

fn document() -> Result<Document, JsValue> {
    web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)
}
